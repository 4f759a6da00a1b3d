import { lazy, Suspense } from "react";
import { useStepUp } from "#src/api/step-up.ts";

const StepUpDialog = lazy(async () => ({
  default: (await import("#src/features/profile/step-up/step-up-dialog.tsx")).StepUpDialog,
}));

/** Asks who is there whenever the server wants to know, above whatever page or dialog asked. */
export function StepUpHost() {
  const { asked } = useStepUp();
  if (asked === null) return null;
  return (
    <Suspense fallback={null}>
      <StepUpDialog onConfirmed={asked.confirmed} onDeclined={asked.declined} />
    </Suspense>
  );
}
