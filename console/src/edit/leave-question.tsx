/** Asks before the user leaves a page on which something would be lost. */
import { useBlocker } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

type LeaveQuestionProps = {
  /** Whether something would be lost now. Asked when the user leaves. */
  readonly isNeeded: () => boolean;
  readonly question: string;
  /** What is lost. */
  readonly loss: string;
};

export const LeaveQuestion = ({ isNeeded, question, loss }: LeaveQuestionProps): ReactElement | undefined => {
  const blocker = useBlocker({ shouldBlockFn: isNeeded, enableBeforeUnload: isNeeded, withResolver: true });
  if (blocker.status !== 'blocked') return undefined;
  return (
    <Dialog title={question} isOpen onOpenChange={(isOpen) => !isOpen && blocker.reset()}>
      <p>{loss}</p>
      <div className="row">
        <Button look="main" onClick={blocker.reset}>
          Stay
        </Button>
        <Button look="danger" onClick={blocker.proceed}>
          Leave
        </Button>
      </div>
    </Dialog>
  );
};
