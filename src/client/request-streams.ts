/** Says whether `fetch` takes a stream as the body of a request. */

/** Firefox and Safari would send the text "[object ReadableStream]", with the type of a text. Others read `duplex`. */
export const canSendStreams = (): boolean => {
  const seen = { duplex: false };
  const init = {
    method: 'POST',
    body: new ReadableStream(),
    get duplex(): 'half' {
      seen.duplex = true;
      return 'half';
    },
  };
  return !new Request('http://localhost/', init).headers.has('content-type') && seen.duplex;
};
