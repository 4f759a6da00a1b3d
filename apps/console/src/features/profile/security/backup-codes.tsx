import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconCopy, IconDownload } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { saveFile } from "#src/lib/save-file.ts";
import { copyText } from "#src/ui/copy-text.ts";
import { toast } from "#src/ui/toasts.tsx";
import profile from "../profile.module.css";
import classes from "./security.module.css";

const icon = { size: 16, stroke: 1.6 };

interface BackupCodesProps {
  readonly codes: readonly string[];
  readonly instead: "phone" | "passkey";
  /** Further buttons beside those to keep the codes. */
  readonly actions?: ReactNode;
}

/** Shows the codes, which the api reveals for ten minutes after they were made. */
export function BackupCodes({ codes, instead, actions }: BackupCodesProps) {
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
        {instead === "phone" ? (
          <Trans>Each code logs you in once without your phone.</Trans>
        ) : (
          <Trans>
            If you lose your passkeys, each code confirms once that it is you: you can then remove
            the lost passkey and add another.
          </Trans>
        )}{" "}
        {codes.length === 0 ? (
          <Trans>They were shown when they were created. New codes replace the old ones.</Trans>
        ) : (
          <Trans>Save them in a safe place: they are shown for only 10 minutes.</Trans>
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
          {actions}
        </div>
      </div>
    </>
  );
}
