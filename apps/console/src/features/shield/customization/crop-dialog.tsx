import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { offlineImagePixels } from "@palisade/contract/http/server-messages";
import { useEffect, useRef, useState } from "react";
import { Dialog } from "#src/ui/dialog.tsx";
import { centred, pulled, squareOf, zoomMax, type Framing, type Square } from "./crop.ts";
import classes from "./image.module.css";

interface CropDialogProps {
  readonly picture: ImageBitmap;
  readonly onDone: (dataUri: string) => void;
  readonly onClose: () => void;
}

/** Chooses the square of a picture that becomes the image, shown at four times its size. */
export function CropDialog({ picture, onDone, onClose }: CropDialogProps) {
  const { t } = useLingui();
  const [framing, setFraming] = useState(centred);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current) drawSquare(canvas.current, picture, squareOf(picture, framing));
  }, [picture, framing]);

  const sliders: { label: string; name: keyof Framing; min: number; max: number }[] = [
    { label: t`Zoom`, name: "zoom", min: 1, max: zoomMax },
    { label: t`Left to right`, name: "across", min: 0, max: 1 },
    { label: t`Top to bottom`, name: "down", min: 0, max: 1 },
  ];
  return (
    <Dialog
      opened
      title={t`Position the image`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button onClick={() => onDone(pngOf(picture, squareOf(picture, framing)))}>
            <Trans>Use image</Trans>
          </Button>
        </>
      }
    >
      <p>
        <Trans>Drag the picture, or use the sliders. Players see it at 64 x 64 pixels.</Trans>
      </p>
      <canvas
        ref={canvas}
        className={classes["canvas"]}
        width={offlineImagePixels * 4}
        height={offlineImagePixels * 4}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => {
          if (event.buttons === 0) return;
          const { width, height } = event.currentTarget.getBoundingClientRect();
          const by = { x: event.movementX / width, y: event.movementY / height };
          setFraming((now) => pulled(picture, now, by));
        }}
      />
      {sliders.map(({ label, name, min, max }) => (
        <label key={name} className={classes["slider"]}>
          {label}
          <input
            type="range"
            min={min}
            max={max}
            step={(max - min) / 100}
            value={framing[name]}
            onChange={({ currentTarget }) => {
              const value = Number(currentTarget.value);
              setFraming((now) => ({ ...now, [name]: value }));
            }}
          />
        </label>
      ))}
    </Dialog>
  );
}

/** Draws a square of the picture on the canvas; small pictures keep their hard edges. */
function drawSquare(
  canvas: HTMLCanvasElement,
  picture: ImageBitmap,
  { left, top, side }: Square,
): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const { width, height } = canvas;
  context.clearRect(0, 0, width, height);
  context.imageSmoothingEnabled = side > offlineImagePixels;
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, left, top, side, side, 0, 0, width, height);
}

/** The square in the game's format: a data URI of a 64x64 PNG. */
function pngOf(picture: ImageBitmap, square: Square): string {
  const canvas = document.createElement("canvas");
  canvas.width = offlineImagePixels;
  canvas.height = offlineImagePixels;
  drawSquare(canvas, picture, square);
  return canvas.toDataURL("image/png");
}
