/** A request that a twin sends to the other server names what is there in place of what it names here. */
import { describe, expect, it } from '@jest/globals';
import { translateBody, translatePath } from '../../src/checks/twin/translate-request.ts';
import { atoll, compared, comparison, node, target } from '../compare/compared.ts';
import { request } from './exchanges.ts';

describe('A request for the other server', () => {
  it('has the ids, uuids and addresses of that server', () => {
    const common = comparison();
    compared(node(90), node(31), common);
    expect(translatePath('/node/90/media/image/17?_format=json', 'target', common)).toBe(
      '/node/31/media/image/17?_format=json',
    );
    expect(translatePath('/node/31', 'atoll', common)).toBe('/node/90');
    const sent = request('POST', '/node', {
      field_member_of: [{ target_id: 90 }],
      title: [{ value: `${target}/node/90` }],
    });
    const own = translateBody(sent, 'target', common);
    expect(JSON.parse(Buffer.from(own ?? []).toString())).toEqual({
      field_member_of: [{ target_id: 31 }],
      title: [{ value: `${atoll}/node/31` }],
    });
  });

  it('names nobody in place of a record that stands for another one', () => {
    const common = comparison();
    compared(node(90), node(31), common);
    expect(translatePath('/node/31', 'target', common)).toBe('/node/2147483646');
    expect(translatePath('/node/32', 'target', common)).toBe('/node/32');
  });

  it('has the path of a record in place of an alias that the other server gives it by itself', () => {
    const alias = '/islandora/d-x-34';
    const common = comparison();
    common.aliases.learnRecords(node(4, { path: [{ alias }] }));
    const url = (path: string) => ({
      field_member_of: [{ target_id: path === alias ? 4 : 21, target_type: 'node', url: path }],
    });
    expect(compared(url(alias), url('/node/21'), common)).toEqual([]);
    expect(translatePath(`${alias}?_format=json`, 'target', common)).toBe('/node/21?_format=json');
  });

  it('has the host of that server in an identifier of OAI-PMH', () => {
    const common = comparison();
    const path = '/oai/request?verb=GetRecord&identifier=oai:repo.example.org:node-7';
    expect(translatePath(path, 'target', common)).toBe(path.replace('repo.example.org', 'localhost'));
  });
});
