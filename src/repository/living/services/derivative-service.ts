/** Defines the service that makes derivatives: what it is asked for, what it gives, and how much of a file it looks at. */

/** What a microservice is asked for, and the file that it gets. */
export type DerivativeOrder = {
  readonly mimetype: string;
  /** As for ImageMagick or FFmpeg. */
  readonly args: string;
  readonly source: { readonly name: string; readonly mimetype: string };
};

/** `placeholder` says why the bytes only stand for what the file shows. */
export type Derivative = { readonly bytes: Uint8Array; readonly placeholder?: string | undefined };

/** Reads files that clients have uploaded, where they hold up no request. The server gives it to the repository. */
export type DerivativeService = {
  /**
   * Whatever the source is, resolves with a file of the wanted type. Rejects with what the source throws, and when the service cannot
   * work at all or has ended.
   */
  readonly make: (order: DerivativeOrder, source: AsyncIterable<Uint8Array>) => Promise<Derivative>;
  /** What runs is given up. */
  readonly end: () => void;
};

/** A larger source is not read: a video may have gigabytes. */
export const mostSourceBytes = 64 * 1024 * 1024;

export const tooLargeSource = `The file has more than ${mostSourceBytes / 1024 / 1024} MiB.`;

/** The first bytes of a file, which say what it is and how large its picture is. */
export const headBytes = 256 * 1024;

/** Sounds and videos are not made of their sources. */
export const needsSource = ({ mimetype }: Pick<DerivativeOrder, 'mimetype'>): boolean =>
  !/^(?:audio|video)\//.test(mimetype);
