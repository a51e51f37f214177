/** Buttons: plain ones, one that copies a text, and one that asks before it does something that cannot be undone. */
import { useState, type ComponentProps, type ReactElement, type ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { say } from './toast.tsx';

export type Look = 'main' | 'danger' | 'plain';

export const Button = ({ look, ...rest }: ComponentProps<'button'> & { readonly look?: Look }): ReactElement => (
  <button type="button" {...rest} className={`button ${look ?? ''} ${rest.className ?? ''}`.trim()} />
);

/** Copies `text`. `label` says what it copies, such as "Copy curl". */
export const CopyButton = ({
  text,
  label = 'Copy',
}: {
  readonly text: string;
  readonly label?: string;
}): ReactElement => (
  <Button
    onClick={() => {
      navigator.clipboard.writeText(text).then(
        () => say('Copied.'),
        () => say('The browser does not let this page copy. Select the text instead.'),
      );
    }}
  >
    {label}
  </Button>
);

type ConfirmProps = {
  /** The text of the button. */
  readonly label: string;
  /** The title of the dialog. */
  readonly question: string;
  /** What is lost. */
  readonly children: ReactNode;
  /** The text of the button that does it. */
  readonly confirm: string;
  readonly onConfirm: () => void;
  readonly look?: Look;
  readonly isDisabled?: boolean;
};

/** A button that opens a dialog before it acts. */
export const ConfirmButton = ({
  label,
  question,
  children,
  confirm,
  onConfirm,
  look = 'danger',
  isDisabled,
}: ConfirmProps): ReactElement => {
  const [isOpen, setOpen] = useState(false);
  return (
    <Dialog
      title={question}
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button look={look} disabled={isDisabled}>
          {label}
        </Button>
      }
    >
      <div>{children}</div>
      <div className="row">
        <Button
          look="danger"
          onClick={() => {
            setOpen(false);
            onConfirm();
          }}
        >
          {confirm}
        </Button>
        <Button onClick={() => setOpen(false)}>Cancel</Button>
      </div>
    </Dialog>
  );
};
