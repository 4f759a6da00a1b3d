import { errorText } from "#src/api/errors.ts";
import { StepUpDeclined } from "#src/api/step-up.ts";
import { toast } from "#src/ui/toasts.tsx";

/** Shows why an action failed. A user who declined the confirmation already knows. */
export function toastError(error: unknown, fallback: string): void {
  if (error instanceof StepUpDeclined) return;
  toast("error", errorText(error, fallback));
}
