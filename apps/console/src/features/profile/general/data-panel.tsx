import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { exportAccount } from "@palisade/contract/http/account";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { withStepUp } from "#src/api/step-up.ts";
import { toastError } from "#src/ui/toast-error.ts";
import { saveFile } from "#src/lib/save-file.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Panel } from "#src/ui/panel.tsx";
import classes from "../profile.module.css";
import { DeleteAccountDialog } from "./delete-account-dialog.tsx";

/** Export and deletion of the user's data. */
export function DataPanel({ email }: { email: string }) {
  const { t } = useLingui();
  const [deleting, setDeleting] = useState(false);
  const download = useMutation({
    mutationFn: () => withStepUp(() => call(exportAccount, {})),
    onSuccess: ({ data }) => {
      const text = JSON.stringify(data, null, 2);
      const name = `palisade-${data.exported_at.slice(0, 10)}.json`;
      saveFile(name, new Blob([text], { type: "application/json" }));
    },
    onError: (error) => toastError(error, t`Failed to export your data`),
  });
  return (
    <Panel prominent title={t`Your data`}>
      <div className={classes["line"]}>
        <div>
          <p className={classes["strong"]}>
            <Trans>Export</Trans>
          </p>
          <p className={classes["note"]}>
            <Trans>Everything we store about you, as a JSON file.</Trans>
          </p>
        </div>
        <ActionButton
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.6} />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          <Trans>Download my data</Trans>
        </ActionButton>
      </div>
      <div className={classes["line"]}>
        <div>
          <p className={classes["strong"]}>
            <Trans>Delete account</Trans>
          </p>
          <p className={classes["note"]}>
            <Trans>
              Your name, address and keys are erased for good. We keep records of payments, and
              issued invoices with your details, as long as the law requires.
            </Trans>
          </p>
        </div>
        <Button
          variant="default"
          className={classes["danger"] ?? ""}
          onClick={() => setDeleting(true)}
        >
          <Trans>Delete account</Trans>
        </Button>
      </div>
      {deleting ? <DeleteAccountDialog email={email} onClose={() => setDeleting(false)} /> : null}
    </Panel>
  );
}
