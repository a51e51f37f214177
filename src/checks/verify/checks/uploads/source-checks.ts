/** Checks of the address that the link edit-media leads to: a PUT there replaces the content. */
import { CheckSkip, expectRefusal, expectStatus, expectThat } from '../../answer.ts';
import type { Check } from '../../check.ts';
import { inJson } from '../writing/record-kinds.ts';
import { makeUpload, sampleBytes } from './uploading.ts';
import { sources, writing } from '../writing/writing-check.ts';

export const sourceChecks: readonly Check[] = [
  writing({
    ...{
      name: 'source.replaces',
      rule: 'A PUT to the target of the link edit-media answers 204 and replaces the content.',
    },
    ...{ source: sources.recorded, severity: 'reference', operations: ['putMediaSource', 'putNodeMedia'] },
    run: async (context) => {
      const { media, content, bundle, contentType } = await makeUpload(context);
      const bytes = sampleBytes(bundle, 70);
      const { links } = await context.ask({ path: inJson(media.path), as: context.maker() });
      const target = links.find(({ rel }) => rel === 'edit-media')?.target;
      if (target === undefined) throw new CheckSkip('The media has no link edit-media for the maker.');
      expectThat(target === `${context.baseUrl}/media/${media.id}/source`, `The link leads to ${target}.`);
      const path = target.slice(context.baseUrl.length);
      const headers = [['Content-Type', contentType]] as const;
      expectStatus(await context.ask({ method: 'PUT', path, as: context.maker(), headers, body: bytes }), 204);
      const answer = await context.ask({ path: content, as: context.maker() });
      expectThat(Buffer.compare(answer.bytes, bytes) === 0, 'The content is not the bytes that were sent.');
    },
  }),
  ...(
    [
      ['no-content-type', 'without a Content-Type', 400, false, true],
      ['empty', 'with an empty body', 400, true, false],
    ] as const
  ).map(([name, words, status, hasType, hasBody]) =>
    writing({
      ...{ name: `source.${name}`, rule: `A PUT of a source ${words} is refused with ${status}, and the bytes stay.` },
      ...{ source: sources.recorded, severity: 'reference', operations: ['putMediaSource', 'putNodeMedia'] },
      run: async (context) => {
        const { media, content, bundle, bytes, contentType } = await makeUpload(context);
        const headers = hasType ? ([['Content-Type', contentType]] as const) : [];
        const body = hasBody ? sampleBytes(bundle) : '';
        const path = inJson(`/media/${media.id}/source`);
        expectRefusal(await context.ask({ method: 'PUT', path, as: context.maker(), headers, body }), status);
        const answer = await context.ask({ path: content, as: context.maker() });
        expectThat(Buffer.compare(answer.bytes, bytes) === 0, 'The content has changed.');
      },
    }),
  ),
  writing({
    ...{ name: 'source.absent', rule: 'A PUT of the source of a media that does not exist answers 404.' },
    ...{ source: sources.errors, severity: 'contract', operations: ['putMediaSource'] },
    run: async (context) => {
      const path = inJson(`/media/${context.subjects.absentId}/source`);
      const headers = [['Content-Type', 'text/plain']] as const;
      expectRefusal(await context.ask({ method: 'PUT', path, as: context.maker(), headers, body: 'x' }), 404);
    },
  }),
];
