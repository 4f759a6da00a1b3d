import { useLingui } from "@lingui/react/macro";
import { useEffect, useState } from "react";

import { qrPictureUrl } from "./qr-picture.ts";
import classes from "./security.module.css";

/** The content policy takes pictures from blobs, not from data: addresses. */
export function QrCode({ uri }: { uri: string }) {
  const { t } = useLingui();
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = qrPictureUrl(uri);
    // oxlint-disable-next-line react/set-state-in-effect -- a blob's address has to be given back
    setUrl(made);
    return () => {
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [uri]);
  if (url === null) return <span className={classes["qr"]} />;
  return <img className={classes["qr"]} src={url} alt={t`QR code for your authenticator app`} />;
}
