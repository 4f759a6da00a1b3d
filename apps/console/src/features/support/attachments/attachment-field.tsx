import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { attachmentFilesMax } from "@palisade/contract/http/attachment-rules";
import { renderText } from "@palisade/contract/texts/render";
import { IconAlertTriangle, IconPaperclip } from "@tabler/icons-react";
import { useRef } from "react";
import { useLocale } from "#src/lib/preferences.ts";
import { acceptedFiles, acceptedNames, fileShares } from "./check-files.ts";
import { FileRow } from "./file-row.tsx";
import type { Attachments } from "./use-attachments.ts";
import classes from "./attachments.module.css";

interface AttachmentFieldProps {
  readonly attachments: Attachments;
  /** Texts of the api about files that it refused. */
  readonly refusals?: readonly string[];
  /** How much of the body is sent, from 0 to 1; undefined while nothing is sent. */
  readonly sentShare: number | undefined;
  /** On phones there is no room for what the files may be. */
  readonly brief?: boolean;
}

/** The chosen files with what they are allowed to be, and the button that adds more. */
export function AttachmentField(props: AttachmentFieldProps) {
  const { attachments, refusals = [], sentShare, brief } = props;
  const { t } = useLingui();
  const { locale } = useLocale();
  const input = useRef<HTMLInputElement>(null);
  const attach = useRef<HTMLButtonElement>(null);
  const { form, files, errors } = attachments;
  const isSending = sentShare !== undefined;
  const shares = fileShares(files, sentShare ?? 0);
  const names = acceptedNames(form);
  const texts = [...errors.map(({ key, file }) => renderText(locale, key, { file })), ...refusals];

  return (
    <div className={classes["field"]}>
      {files.length === 0 ? null : (
        <ul className={classes["files"]} aria-label={t`Attached files`}>
          {files.map((file, index) => (
            <FileRow
              key={`${file.name} ${file.lastModified} ${file.size}`}
              file={file}
              share={isSending ? (shares[index] ?? 0) : undefined}
              onRemove={() => {
                // Else the focus goes with the last file.
                if (files.length === 1) attach.current?.focus();
                attachments.remove(file);
              }}
            />
          ))}
        </ul>
      )}
      {texts.length === 0 ? null : (
        <div role="alert">
          <ul className={classes["errors"]}>
            {texts.map((text) => (
              <li key={text}>
                <IconAlertTriangle size={15} stroke={1.6} aria-hidden="true" />
                {text}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className={classes["foot"]}>
        <Button
          ref={attach}
          variant="default"
          size="xs"
          leftSection={<IconPaperclip size={15} stroke={1.6} />}
          aria-disabled={isSending}
          data-disabled={isSending}
          onClick={() => isSending || input.current?.click()}
        >
          <Trans>Attach files</Trans>
        </Button>
        <span className={classes["hint"]} data-brief={brief}>
          <Trans>
            Up to {attachmentFilesMax} files of 10 MB: {names}. You can drop or paste them, too.
          </Trans>
        </span>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={acceptedFiles(form)}
        onChange={({ currentTarget }) => {
          attachments.add([...(currentTarget.files ?? [])]);
          // The same file can be chosen again after it was removed.
          currentTarget.value = "";
        }}
      />
    </div>
  );
}
