/** Defines a rule about the content of files, and what it is given to look at. */
import type { StorageMount } from '../../../../core/site/site.ts';
import type { HeaderLine } from '../../../../exchange/wire-exchange.ts';
import { type Answer, expectThat } from '../../answer.ts';
import { type CheckContext, type KnownEntity, type RuleHead } from '../../check.ts';

export type Content = {
  readonly path: string;
  readonly file: KnownEntity;
  readonly whole: Answer;
  readonly size: number;
  readonly mount: StorageMount;
  /** GET as the account that may most, with these headers. */
  readonly get: (headers: readonly HeaderLine[], method?: string) => Promise<Answer>;
};

export type ContentCase = RuleHead & {
  readonly expect: (content: Content, context: CheckContext) => void | Promise<void>;
};

export const expectSameBytes = (answer: Answer, { exchange }: Answer): void =>
  expectThat(answer.exchange.reply.body.sha256 === exchange.reply.body.sha256, 'The bytes differ.');
