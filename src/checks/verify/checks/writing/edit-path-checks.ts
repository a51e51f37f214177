/** Checks of the second address that a media may have: what is changed there is changed. */
import { addressPath } from '../../../../core/site/site.ts';
import { CheckSkip, expectStatus, expectThat, shown } from '../../answer.ts';
import type { Check } from '../../check.ts';
import { makeUpload } from '../uploads/uploading.ts';
import { inJson, readBack, remove } from './record-kinds.ts';
import { valueIn } from './record-values.ts';
import { sources, writing } from './writing-check.ts';

export const editPathChecks: readonly Check[] = [
  writing({
    ...{ name: 'edit-path.patch', source: sources.recorded, severity: 'reference' },
    rule: 'A PATCH at /media/{id}/edit changes the media of /media/{id}.',
    operations: ['updateMediaByEditPath', 'putNodeMedia'],
    run: async (context) => {
      const { media, bundle } = await makeUpload(context);
      if (addressPath(context.contract.site, 'media', media.id).endsWith('/edit'))
        throw new CheckSkip('It is the only address.');
      const name = `${context.workspace.label} by its edit path`;
      const json = { bundle: [{ target_id: bundle.id }], name: [{ value: name }] };
      const path = inJson(`${media.path}/edit`);
      expectStatus(await context.ask({ method: 'PATCH', path, as: context.maker(), json }), 200);
      const found = valueIn(await readBack(context, media), 'name');
      expectThat(found === name, `The name is ${shown(found)}.`);
    },
  }),
  writing({
    ...{ name: 'edit-path.delete', source: sources.recorded, severity: 'reference' },
    rule: 'A DELETE at /media/{id}/edit removes the media of /media/{id}.',
    operations: ['deleteMediaByEditPath', 'putNodeMedia'],
    run: async (context) => {
      const { media } = await makeUpload(context);
      expectStatus(await remove(context, { path: `${media.path}/edit` }), 204);
      expectStatus(await context.ask({ path: inJson(media.path), as: context.maker() }), 404);
    },
  }),
];
