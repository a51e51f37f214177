/** Tabs: one of several views of the same thing. */
import { Tabs as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

export type Tab = { readonly key: string; readonly label: string; readonly content: ReactNode };

type TabsProps = {
  /** Says what the tabs show, for screen readers. */
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly selected: string;
  readonly onSelect: (key: string) => void;
};

/** Only the selected tab is rendered. */
export const Tabs = ({ label, tabs, selected, onSelect }: TabsProps): ReactElement => (
  <Radix.Root value={selected} onValueChange={onSelect}>
    <Radix.List className="tabs" aria-label={label}>
      {tabs.map(({ key, label: text }) => (
        <Radix.Trigger key={key} className="tab" value={key}>
          {text}
        </Radix.Trigger>
      ))}
    </Radix.List>
    {tabs.map(({ key, content }) => (
      <Radix.Content key={key} value={key}>
        {content}
      </Radix.Content>
    ))}
  </Radix.Root>
);
