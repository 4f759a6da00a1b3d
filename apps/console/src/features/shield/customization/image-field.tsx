import { ActionIcon, FileInput } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import { IconPhoto, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { PngImage } from "#src/ui/png-image.tsx";
import { CropDialog } from "./crop-dialog.tsx";
import classes from "./image.module.css";

/** Image types that browsers can draw; each is converted to a PNG here. */
const rasterTypes = "image/png,image/jpeg,image/webp,image/gif,image/bmp,image/avif";
const fileBytesMax = 20 * 1024 * 1024;

interface ImageFieldProps {
  /** A data URI; empty without an image. */
  readonly value: string;
  readonly error: string | undefined;
  readonly disabled: boolean;
  readonly onChange: (value: string) => void;
}

export function ImageField({ value, error, disabled, onChange }: ImageFieldProps) {
  const { t } = useLingui();
  const [picture, setPicture] = useState<ImageBitmap | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);

  const isClosed = disabled || value !== "";

  async function open(file: File | null): Promise<void> {
    if (file === null) return;
    try {
      if (file.size > fileBytesMax || file.type === "image/svg+xml") throw new Error("no raster");
      setPicture(await createImageBitmap(file));
      setRefusal(null);
    } catch {
      setRefusal(t`Your browser cannot read this file as an image.`);
    }
  }

  return (
    <div className={classes["field"]}>
      <span className={classes["frame"]}>
        {value === "" ? (
          <IconPhoto size={22} stroke={1.4} />
        ) : (
          <PngImage uri={value} className="" />
        )}
      </span>
      <FileInput
        className={classes["file"]}
        name="offline_image"
        label={t`Offline image`}
        description={t`Shown next to the MOTD. Any picture works: it is cut to 64 x 64 pixels.`}
        placeholder={value === "" ? t`Choose a picture` : t`Remove the image to choose another`}
        accept={rasterTypes}
        disabled={isClosed}
        fileInputProps={{ disabled: isClosed }}
        error={refusal ?? error}
        value={null}
        onChange={(file) => void open(file)}
      />
      {value === "" ? null : (
        <ActionIcon
          className={classes["remove"]}
          variant="default"
          size={36}
          aria-label={t`Remove image`}
          disabled={disabled}
          onClick={() => onChange("")}
        >
          <IconTrash size={16} stroke={1.6} />
        </ActionIcon>
      )}
      {picture ? (
        <CropDialog
          picture={picture}
          onClose={() => setPicture(null)}
          onDone={(dataUri) => {
            setPicture(null);
            onChange(dataUri);
          }}
        />
      ) : null}
    </div>
  );
}
