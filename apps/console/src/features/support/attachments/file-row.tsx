import { useLingui } from "@lingui/react/macro";
import { IconFileText } from "@tabler/icons-react";
import { bytes, percent } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { BlobImage } from "#src/ui/blob-image.tsx";
import { RemoveButton } from "#src/ui/remove-button.tsx";
import classes from "./attachments.module.css";

interface FileRowProps {
  readonly file: File;
  /** How much of it is sent, from 0 to 1; undefined while nothing is sent. */
  readonly share: number | undefined;
  readonly onRemove: () => void;
}

const pictures = new Set(["image/png", "image/jpeg"]);

/** A file that goes with the message: its picture, name and size, and how far it is sent. */
export function FileRow({ file, share, onRemove }: FileRowProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const { name } = file;
  const done = Math.round((share ?? 0) * 100);
  return (
    <li className={classes["file"]}>
      <span className={classes["thumb"]} aria-hidden="true">
        {pictures.has(file.type) ? (
          <BlobImage blob={file} alt="" />
        ) : (
          <IconFileText size={17} stroke={1.6} />
        )}
      </span>
      <span className={classes["name"]}>{name}</span>
      <span className={classes["size"]}>
        {share === undefined ? bytes(locale, file.size) : percent(locale, done)}
      </span>
      {share === undefined ? (
        <RemoveButton label={t`Remove ${name}`} loading={false} onClick={onRemove} />
      ) : (
        <span
          className={classes["bar"]}
          role="progressbar"
          aria-label={t`Sending ${name}`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={done}
        >
          <span style={{ width: `${done}%` }} />
        </span>
      )}
    </li>
  );
}
