import { errorText } from "#src/api/errors.ts";
import { StepUpDeclined } from "#src/api/step-up.ts";
import { toast } from "#src/ui/toasts.tsx";

/** Says why something failed; who would not confirm that it is them knows why. */
export function toastError(error: unknown, fallback: string): void {
  if (error instanceof StepUpDeclined) return;
  toast("error", errorText(error, fallback));
}
