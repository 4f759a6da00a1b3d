import { Skeleton } from "@mantine/core";
import { Plural } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { queryClient } from "#src/api/query-client.ts";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { backupCodesQuery } from "../profile.queries.ts";
import { BackupCodes } from "./backup-codes.tsx";
import classes from "./security.module.css";

interface BackupCodesLeftProps {
  /** The thing that a code is used instead of. */
  readonly instead: "phone" | "passkey";
  readonly actions?: ReactNode;
}

/** How many backup codes are left, and the codes themselves for as long as they may be read. */
export function BackupCodesLeft({ instead, actions }: BackupCodesLeftProps) {
  const query = useQuery(backupCodesQuery);
  // Codes that came with enabling were put into the cache without an observer: remove them here.
  useEffect(() => () => queryClient.removeQueries({ queryKey: backupCodesQuery.queryKey }), []);
  if (query.isPending) {
    return (
      <LoadingRegion className={classes["backup"]}>
        <Skeleton height={20} width={220} />
      </LoadingRegion>
    );
  }
  // No error is shown: the codes work even if they cannot be counted.
  if (!query.data) return null;
  const { left, backup_codes: codes } = query.data;
  return (
    <div className={classes["backup"]}>
      <p>
        <strong>
          <Plural value={left} one="# backup code left" other="# backup codes left" />
        </strong>
      </p>
      <BackupCodes codes={codes} instead={instead} actions={actions} />
    </div>
  );
}
