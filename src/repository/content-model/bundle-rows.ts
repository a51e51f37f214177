/** Lists what a site's file and the configuration of a real site both say of a bundle, and of the source of a media. */
import { filledTextOf, wholeOf, yesOf } from '../../basics/exported/lenient-values.ts';
import type { Rows } from '../../basics/exported/rows.ts';
import type { Bundle, MediaSource } from '../model/bundle.ts';

const labelOf = ({ label }: Bundle): string => label;

const shared = {
  description: ['description', filledTextOf, ({ shown }) => shown?.description ?? ''],
  new_revision: ['new_revision', yesOf, ({ shown }) => shown?.newRevision === true],
} satisfies Rows<unknown, Bundle>;

export const nodeTypeRows = {
  label: ['name', filledTextOf, labelOf],
  ...shared,
  help: ['help', filledTextOf, ({ shown }) => shown?.help ?? null],
} satisfies Rows<unknown, Bundle>;

export const mediaTypeRows = { label: ['label', filledTextOf, labelOf], ...shared } satisfies Rows<unknown, Bundle>;

export const vocabularyRows = {
  label: ['name', filledTextOf, labelOf],
  ...shared,
  weight: ['weight', (value) => wholeOf(value) || undefined, ({ shown }) => shown?.weight ?? 0],
} satisfies Rows<unknown, Bundle>;

/** What a real site calls each kind of source, and the file name of its icon. */
export const sourceKinds: { readonly [K in MediaSource['kind']]: { readonly plugin: string; readonly icon: string } } =
  {
    image: { plugin: 'image', icon: 'generic.png' },
    audio: { plugin: 'audio_file', icon: 'audio.png' },
    video: { plugin: 'video_file', icon: 'video.png' },
    file: { plugin: 'file', icon: 'generic.png' },
    oembed: { plugin: 'oembed:video', icon: 'video.png' },
  };
