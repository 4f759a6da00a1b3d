import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { beginStepUp } from "@palisade/contract/http/two-factor";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { Dialog } from "#src/ui/dialog.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { PasskeyStepUp } from "./passkey-step-up.tsx";
import type { StepUpProps } from "./step-up-props.ts";
import { TypedStepUp } from "./typed-step-up.tsx";

/** Asks for the strongest factor of the account: a passkey, else a code, else the password. */
export function StepUpDialog(props: StepUpProps) {
  const { t } = useLingui();
  const [isLost, setLost] = useState(false);
  const needed = useQuery({
    queryKey: ["step-up"],
    queryFn: async ({ signal }) => (await call(beginStepUp, { signal })).data.factor,
    staleTime: "static",
    gcTime: 0,
  });
  // The button that was pressed shows that something is under way.
  if (needed.isPending) return null;
  if (needed.data === "passkey" && isLost) {
    return <TypedStepUp factor="backup code" {...props} onFound={() => setLost(false)} />;
  }
  if (needed.data === "passkey") {
    return <PasskeyStepUp {...props} onLost={() => setLost(true)} />;
  }
  if (needed.data !== undefined) return <TypedStepUp factor={needed.data} {...props} />;
  return (
    <Dialog
      opened
      title={t`Confirm that it is you`}
      onClose={props.onDeclined}
      actions={
        <Button variant="default" onClick={props.onDeclined}>
          <Trans>Cancel</Trans>
        </Button>
      }
    >
      <ErrorState
        error={needed.error}
        title={t`That could not be checked. Please try again.`}
        onRetry={() => void needed.refetch()}
      />
    </Dialog>
  );
}
