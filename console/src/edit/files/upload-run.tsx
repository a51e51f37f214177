/** Runs one upload: its progress in words and as a bar, its cancellation, its refusal. */
import { useRef, useState, type ReactElement } from 'react';
import type { Progress } from '../../../../src/client/client.ts';
import { wordsOf } from '../../api/refusal.ts';
import { Button } from '../../ui/button.tsx';
import { say } from '../../ui/toast.tsx';
import { LeaveQuestion } from '../leave-question.tsx';
import { sizeText } from '../../ui/size-text.ts';

export type UploadOptions = { readonly onProgress: (progress: Progress) => void; readonly signal: AbortSignal };

export type UploadRun = {
  readonly progress: Progress | undefined;
  /** The refusal, in the server's words. */
  readonly error: string | undefined;
  readonly isRunning: boolean;
  /** Starts an upload. `work` sends it and uses what came of it. `after` is called when it is over and nothing was refused. */
  readonly start: (size: number, work: (options: UploadOptions) => Promise<void>, after?: () => void) => void;
  readonly cancel: () => void;
  readonly isRunningNow: () => boolean;
};

export const useUploadRun = (): UploadRun => {
  const [progress, setProgress] = useState<Progress>();
  const [error, setError] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const start: UploadRun['start'] = (size, work, after) => {
    const controller = new AbortController();
    running.current = controller;
    setError(undefined);
    setProgress({ sent: 0, total: size });
    const failed = (reason: unknown): void => {
      if (controller.signal.aborted) say('Cancelled. Nothing was stored.');
      else setError(wordsOf(reason));
    };
    const end = (): void => {
      running.current = undefined;
      setProgress(undefined);
    };
    work({ onProgress: setProgress, signal: controller.signal }).then(
      () => {
        end();
        after?.();
      },
      (reason: unknown) => {
        end();
        failed(reason);
      },
    );
  };
  const cancel = (): void => running.current?.abort();
  return {
    progress,
    error,
    isRunning: progress !== undefined,
    start,
    cancel,
    isRunningNow: () => running.current !== undefined,
  };
};

/** Shows a running upload. Nothing while none runs. */
export const UploadProgress = ({ run, name }: { readonly run: UploadRun; readonly name: string }): ReactElement => {
  const { progress } = run;
  return (
    <>
      {progress !== undefined && (
        <div className="stack upload-progress">
          <progress aria-label={`Upload of ${name}`} value={progress.sent} max={progress.total} />
          <p role="status">{toldProgress(progress)}</p>
          <div className="row">
            <Button onClick={run.cancel}>Cancel the upload</Button>
          </div>
        </div>
      )}
      <LeaveQuestion
        isNeeded={run.isRunningNow}
        question="Leave while the upload runs?"
        loss="The upload ends when you leave, and the server stores nothing of it."
      />
    </>
  );
};

const toldProgress = ({ sent, total }: Progress): string => {
  if (total === undefined || total === 0) return `${sizeText(sent)} sent.`;
  if (sent >= total) return `All ${sizeText(total)} sent. The server stores them …`;
  return `${sizeText(sent)} of ${sizeText(total)} sent (${Math.floor((sent / total) * 100)} %).`;
};
