import { useDocumentTitle } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { errorText } from "#src/api/errors.ts";
import { paths } from "#src/lib/paths.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { PageHead } from "#src/ui/page-head.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditList } from "./audit-list.tsx";
import classes from "./audit.module.css";
import { saveAuditLog } from "./audit.queries.ts";
import type { AuditSearch } from "./audit-search.ts";

export function AuditPage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const search = useSearch({ from: paths.auditLogs });
  useDocumentTitle(`${t`Audit Logs`} · Palisade`);

  // Changing a filter returns to the first page.
  const show = (change: Partial<AuditSearch>, replace = false) =>
    void navigate({
      from: paths.auditLogs,
      to: paths.auditLogs,
      search: (before) => ({ ...before, page: undefined, ...change }),
      replace,
    });
  const save = useMutation({
    mutationFn: () => saveAuditLog(search),
    onError: (error) => toast("error", errorText(error, t`Failed to download file`)),
  });

  return (
    <div className={classes["page"]}>
      <PageHead
        title={<Trans>Audit Logs</Trans>}
        aside={
          <ActionButton
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.6} />}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            <Trans>Export CSV</Trans>
          </ActionButton>
        }
      />
      <Panel>
        <AuditFilters search={search} onShow={show} />
        <AuditList search={search} onShow={show} />
      </Panel>
    </div>
  );
}
