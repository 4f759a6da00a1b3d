import type { AttachmentForm } from "@palisade/contract/http/attachment-rules";
import { useEffect, useRef, useState } from "react";
import { checkFiles, type FileError } from "./check-files.ts";

export type Attachments = ReturnType<typeof useAttachments>;

/** The files of a form: chosen, dropped anywhere on the page, or pasted. */
export function useAttachments(form: AttachmentForm, isBusy: boolean) {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [errors, setErrors] = useState<readonly FileError[]>([]);

  function add(added: Iterable<File>) {
    if (isBusy) return;
    const checked = checkFiles(form, files, added);
    setFiles(checked.files);
    setErrors(checked.errors);
  }
  function remove(file: File) {
    setFiles(files.filter((held) => held !== file));
    setErrors([]);
  }
  function clear() {
    setFiles([]);
    setErrors([]);
  }
  const isDragging = useDroppedFiles(add);
  return { form, files, errors, isDragging, add, remove, clear };
}

/** @returns whether files are held over the page */
function useDroppedFiles(onDrop: (files: Iterable<File>) => void): boolean {
  const [isDragging, setDragging] = useState(false);
  const drop = useRef(onDrop);
  useEffect(() => {
    drop.current = onDrop;
  });
  useEffect(() => {
    /** Each element below the pointer is entered before the last one is left. */
    let entered = 0;
    const stop = () => {
      entered = 0;
      setDragging(false);
    };
    const listeners = {
      dragenter(event: DragEvent) {
        if (!hasFiles(event)) return;
        entered += 1;
        setDragging(true);
      },
      dragleave(event: DragEvent) {
        if (!hasFiles(event)) return;
        entered -= 1;
        if (entered <= 0) stop();
      },
      dragover(event: DragEvent) {
        if (hasFiles(event)) event.preventDefault();
      },
      drop(event: DragEvent) {
        if (!hasFiles(event)) return;
        // Else the browser leaves the page and shows the file.
        event.preventDefault();
        stop();
        drop.current(event.dataTransfer?.files ?? []);
      },
    };
    const entries = Object.entries(listeners) as [keyof typeof listeners, (e: DragEvent) => void][];
    for (const [name, listener] of entries) globalThis.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of entries) globalThis.removeEventListener(name, listener);
    };
  }, []);
  return isDragging;
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") ?? false;
}
