/** Reports changed files together after a short time without changes. */

/** Changes are reported after this time without another: an editor writes a file in several steps, a checkout writes many files. */
const quietMs = 100;

type CollectedChanges = {
  add(file: string): void;
  /** Nothing is reported any more. */
  end(): void;
};

export const collectChanges = (report: (files: readonly string[]) => void): CollectedChanges => {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  return {
    add: (file) => {
      changed.add(file);
      clearTimeout(timer);
      timer = setTimeout(() => {
        const files = [...changed].sort();
        changed.clear();
        report(files);
      }, quietMs);
    },
    end: () => clearTimeout(timer),
  };
};
