/** A modal dialog. Esc and the button "Close" close it; focus returns to what opened it. */
import { Dialog as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

type DialogProps = {
  readonly title: string;
  readonly children: ReactNode;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  /** The button that opens it. */
  readonly trigger?: ReactNode;
};

export const Dialog = ({ title, children, isOpen, onOpenChange, trigger }: DialogProps): ReactElement => (
  <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
    {trigger !== undefined && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
    <Radix.Portal>
      <Radix.Overlay className="dialog-ground" />
      <Radix.Content className="dialog stack" aria-describedby={undefined}>
        <div className="page-head">
          <Radix.Title dir="auto">{title}</Radix.Title>
          <Radix.Close className="button plain">Close</Radix.Close>
        </div>
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);
