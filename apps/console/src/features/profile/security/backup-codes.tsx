import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconCopy, IconDownload } from "@tabler/icons-react";
import { saveFile } from "#src/lib/save-file.ts";
import { copyText } from "#src/ui/copy-text.ts";
import { toast } from "#src/ui/toasts.tsx";
import profile from "../profile.module.css";
import classes from "./security.module.css";

const icon = { size: 16, stroke: 1.6 };

/** Shows the codes, which the api reveals for ten minutes after they were made. */
export function BackupCodes({ codes }: { codes: readonly string[] }) {
  const { t } = useLingui();
  const text = codes.join("\n");

  async function copy() {
    if (codes.length === 0) {
      toast("error", t`No backup codes to copy`);
      return;
    }
    if (await copyText(text)) toast("success", t`Backup codes copied to clipboard`);
  }

  return (
    <>
      <p className={profile["note"]}>
        {codes.length === 0 ? (
          <Trans>
            Each code logs you in once without your phone. They were shown when they were created.
            New codes replace the old ones.
          </Trans>
        ) : (
          <Trans>
            Each code logs you in once without your phone. Save them in a safe place: they are shown
            for only 10 minutes.
          </Trans>
        )}
      </p>
      {codes.length === 0 ? null : (
        <ul className={classes["codes"]} aria-label={t`Backup codes`}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      )}
      <div className={codes.length === 0 ? profile["below"] : undefined}>
        <div className={profile["actions"]}>
          <Button
            variant="default"
            leftSection={<IconCopy {...icon} />}
            onClick={() => void copy()}
          >
            <Trans>Copy codes</Trans>
          </Button>
          {codes.length === 0 ? null : (
            <Button
              variant="default"
              leftSection={<IconDownload {...icon} />}
              onClick={() =>
                saveFile(
                  "palisade-backup-codes.txt",
                  new Blob([`${text}\n`], { type: "text/plain" }),
                )
              }
            >
              <Trans>Download</Trans>
            </Button>
          )}
        </div>
      </div>
    </>
  );
}
