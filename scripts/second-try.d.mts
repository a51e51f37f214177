type Result = {
  code: number;
  failed: { file: string; tests: readonly string[] }[] | undefined;
};
/** Runs tests that wait for others; a file that fails runs once more, alone. */
export function withSecondTry(run: (file?: string) => Promise<Result>): Promise<{ code: number; flaky: string[] }>;
