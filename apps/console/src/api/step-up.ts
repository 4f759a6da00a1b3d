import { create } from "zustand";
import { hasCode } from "./errors.ts";
import { onSessionEnd } from "./session.ts";

/** The person closed the question instead of answering it: nothing was done, nothing is wrong. */
export class StepUpDeclined extends Error {
  constructor() {
    super("Recent authentication was declined");
    this.name = "StepUpDeclined";
  }
}

interface Asked {
  readonly confirmed: () => void;
  readonly declined: () => void;
}

/** The question that is open; `app/modals` shows it above whatever asked. */
export const useStepUp = create<{ asked: Asked | null }>()(() => ({ asked: null }));

/**
 * Runs what needs recent authentication. Where the server answers `step_up_required`, the person is
 * asked who they are, and the same is run again.
 *
 * @throws StepUpDeclined where they would not say
 * @example
 * const { data } = await withStepUp(() => call(revealApiKey, {}));
 */
export async function withStepUp<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!hasCode(error, "step_up_required")) throw error;
  }
  await ask();
  return action();
}

/** Answers no where the person has gone: to another page, or as another user. */
export function declineStepUp(): void {
  useStepUp.getState().asked?.declined();
}

// What was asked for by one user must never be done as the next.
onSessionEnd(declineStepUp);

function ask(): Promise<void> {
  // A second action that needs the same waits for the one question with the first.
  const before = useStepUp.getState().asked;
  return new Promise((resolve, reject) => {
    const settle = (end: () => void, others: (() => void) | undefined) => () => {
      useStepUp.setState({ asked: null });
      others?.();
      end();
    };
    useStepUp.setState({
      asked: {
        confirmed: settle(resolve, before?.confirmed),
        declined: settle(() => reject(new StepUpDeclined()), before?.declined),
      },
    });
  });
}
