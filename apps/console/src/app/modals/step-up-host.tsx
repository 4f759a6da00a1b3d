import { useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { declineStepUp, useStepUp } from "#src/api/step-up.ts";

const StepUpDialog = lazy(async () => ({
  default: (await import("#src/features/profile/step-up/step-up-dialog.tsx")).StepUpDialog,
}));

/** Asks who is there whenever the server wants to know, above whatever page or dialog asked. */
export function StepUpHost() {
  const { asked } = useStepUp();
  const place = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr });
  return (
    <>
      <DeclineOnLeave key={place} />
      {asked === null ? null : (
        <Suspense fallback={null}>
          <StepUpDialog onConfirmed={asked.confirmed} onDeclined={asked.declined} />
        </Suspense>
      )}
    </>
  );
}

/** Who leaves the page that asked, by the back button or for the login, answers no. */
function DeclineOnLeave() {
  useEffect(() => declineStepUp, []);
  return null;
}
