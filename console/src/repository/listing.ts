/** What the page "Repository" lists: the values in its address, and the question that they make. */
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { control, type ControlSchemas } from '../api/control.ts';

/** The entity types, with the words that people have for them. */
export const kinds = [
  { type: 'node', label: 'Objects' },
  { type: 'media', label: 'Media' },
  { type: 'file', label: 'Files' },
  { type: 'taxonomy_term', label: 'Terms' },
  { type: 'user', label: 'Users' },
  { type: 'path_alias', label: 'Path aliases' },
  { type: 'redirect', label: 'Redirects' },
] as const;
export type EntityType = (typeof kinds)[number]['type'];

export const orders = [
  { order: 'id', label: 'Lowest number' },
  { order: '-id', label: 'Highest number' },
  { order: 'title', label: 'Title A to Z' },
  { order: '-title', label: 'Title Z to A' },
  { order: '-changed', label: 'Latest change' },
  { order: 'changed', label: 'Earliest change' },
] as const;
export type Order = (typeof orders)[number]['order'];

/** As the address has them. */
export type ListValues = {
  readonly type: string | undefined;
  readonly bundle: string | undefined;
  readonly model: string | undefined;
  readonly collection: string | undefined;
  readonly text: string | undefined;
  readonly published: string | undefined;
  readonly order: string | undefined;
  readonly cursor: string | undefined;
  readonly page: string | undefined;
  readonly view: string | undefined;
  /** `search`: the key `/` has led here. */
  readonly focus: string | undefined;
};

export type ListChange = (change: Partial<ListValues>, options?: { readonly replace?: boolean }) => void;

/** The place in the list belongs to the filters and the order, so a change of them goes to the first page. */
export const firstPage = { cursor: undefined, page: undefined } as const;

export const typeOf = ({ type }: Partial<ListValues>): EntityType =>
  kinds.find((kind) => kind.type === type)?.type ?? 'node';

export const orderOf = ({ order }: Partial<ListValues>): Order =>
  orders.find((each) => each.order === order)?.order ?? 'id';

type Question = {
  readonly type: EntityType;
  readonly order: Order;
  readonly bundle?: string;
  readonly model?: string;
  readonly collection?: string;
  readonly text?: string;
  readonly published?: 'true' | 'false';
  readonly cursor?: string;
  readonly page?: string;
};

const questionOf = (values: Partial<ListValues>): Question => {
  const { bundle, model, collection, text, published, cursor, page } = values;
  return {
    type: typeOf(values),
    order: orderOf(values),
    ...(bundle === undefined ? {} : { bundle }),
    ...(model === undefined ? {} : { model }),
    ...(collection === undefined ? {} : { collection }),
    ...(text === undefined ? {} : { text }),
    ...(published === 'true' || published === 'false' ? { published } : {}),
    ...(cursor === undefined ? {} : { cursor }),
    ...(page === undefined ? {} : { page }),
  };
};

export type EntityPage = ControlSchemas['EntityPage'];

/** The page of the list. The one before stays until the next one is there. */
export const useEntityPage = (values: Partial<ListValues>): UseQueryResult<EntityPage> => {
  const question = questionOf(values);
  return useQuery({
    queryKey: ['content', 'entities', question],
    queryFn: () => control.ask('listEntities', { query: question }),
    placeholderData: keepPreviousData,
  });
};
