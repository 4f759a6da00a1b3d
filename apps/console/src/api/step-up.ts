import { create } from "zustand";
import { hasCode } from "./errors.ts";
import { onSessionEnd } from "./session.ts";

/** The user closed the dialog instead of confirming their identity. Nothing was done. */
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

/** The open request for confirmation; `app/shell/modal-host` shows its dialog. */
export const useStepUp = create<{ asked: Asked | null }>()(() => ({ asked: null }));

/**
 * Runs an action that needs recent authentication. If the api answers `step_up_required`, the user is
 * asked to confirm their identity, and the action runs again.
 *
 * @throws StepUpDeclined if the user declines
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

/** Declines for the user who has left: for another page, or because another user logged in. */
export function declineStepUp(): void {
  useStepUp.getState().asked?.declined();
}

// An action that one user started must never run as another user.
onSessionEnd(declineStepUp);

function ask(): Promise<void> {
  // A second action that needs confirmation shares the open dialog with the first.
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
