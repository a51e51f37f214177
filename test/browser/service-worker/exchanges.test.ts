/** Requests of a service worker that a page speaks of: broken off, or with a body that counts only when the page says so. */
import { describe, expect, it } from '@jest/globals';
import { createExchanges } from '../../../src/browser/service-worker/exchanges.ts';

const upload = (name: string): Request =>
  new Request('http://localhost/repo/x', {
    ...{ method: 'PUT', headers: { 'atoll-exchange': name, 'content-type': 'text/plain' }, duplex: 'half' },
    body: new Blob(['some', ' bytes']).stream(),
  });

describe('A request', () => {
  it('without a name is left as it is', () => {
    const request = new Request('http://localhost/repo/x');
    expect(createExchanges().followed(request).request).toBe(request);
  });

  it('loses the header with its name, and is aborted when the page says so, before or after it arrives', () => {
    const exchanges = createExchanges();
    const early = createExchanges();
    const { request } = exchanges.followed(upload('one'));
    expect(Object.fromEntries(request.headers)).toEqual({ 'content-type': 'text/plain' });
    exchanges.aborted('another');
    expect(request.signal.aborted).toBe(false);
    exchanges.aborted('one');
    expect(request.signal.aborted).toBe(true);
    early.aborted('one');
    expect(early.followed(upload('one')).request.signal.aborted).toBe(true);
  });

  it('has a whole body only after the page has said that it sent all', async () => {
    const exchanges = createExchanges();
    let text: string | undefined;
    const reading = exchanges
      .followed(upload('one;confirmed'))
      .request.text()
      .then((read) => (text = read));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(text).toBeUndefined();
    exchanges.sent('one');
    await reading;
    expect(text).toBe('some bytes');
  });

  it('has a body that fails when the page broke the request off, although its bytes had ended', async () => {
    const exchanges = createExchanges();
    const body = exchanges.followed(upload('one;confirmed')).request.text();
    exchanges.aborted('one');
    await expect(body).rejects.toThrow();
  });
});
