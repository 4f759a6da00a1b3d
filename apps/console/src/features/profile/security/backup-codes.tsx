import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconCopy, IconDownload } from "@tabler/icons-react";
import { saveFile } from "#src/lib/save-file.ts";
import { copyText } from "#src/ui/copy-text.ts";
import { toast } from "#src/ui/toasts.tsx";
import profile from "../profile.module.css";
import classes from "./security.module.css";

const icon = { size: 16, stroke: 1.6 };

/** The codes while they may be seen: ten minutes from when they were made. */
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
            Each lets you in once without the phone. They were shown when they were made; new ones
            take the place of the old.
          </Trans>
        ) : (
          <Trans>
            Each lets you in once without the phone. Keep them somewhere safe: they are shown for 10
            minutes only.
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
