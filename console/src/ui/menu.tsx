/** A button that opens a menu of commands. */
import { DropdownMenu } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

export type Command = { readonly label: string; readonly run: () => void };

/** `label` is what the button shows. */
export const Menu = ({
  label,
  commands,
}: {
  readonly label: ReactNode;
  readonly commands: readonly Command[];
}): ReactElement => (
  <DropdownMenu.Root modal={false}>
    <DropdownMenu.Trigger className="button">{label}</DropdownMenu.Trigger>
    {/* In its place, and so in a landmark of the page. */}
    <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
      {commands.map(({ label: text, run }) => (
        <DropdownMenu.Item key={text} className="menu-item" onSelect={run}>
          {text}
        </DropdownMenu.Item>
      ))}
    </DropdownMenu.Content>
  </DropdownMenu.Root>
);
