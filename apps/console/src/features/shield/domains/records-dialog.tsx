import { Button, Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { shieldDomainRoutes, type DomainSetup } from "@palisade/contract/http/domains";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { IconCircleCheck } from "@tabler/icons-react";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Banner } from "#src/ui/banner.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { DnsDiagnosis } from "#src/ui/dns-diagnosis.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { TabList } from "#src/ui/tab-list.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { useMayChange } from "../may-change.ts";
import type { Change } from "../receipt.tsx";
import { domainsQuery, dnsStatusQuery, setupQuery } from "./domains.queries.ts";
import classes from "./domains.module.css";
import { RecordFields, type RecordType } from "./record-fields.tsx";

interface RecordsDialogProps {
  readonly shieldId: string;
  readonly domainId: string;
  readonly onClose: () => void;
  readonly onChange: (change: Change) => void;
}

const domainTypes = ["CNAME", "SRV", "TXT"] as const satisfies RecordType[];
const wildcardTypes = ["TXT", "CNAME"] as const satisfies RecordType[];

/** The records a domain needs, with copy buttons, and their current state in DNS. */
export function RecordsDialog({ shieldId, domainId, onClose, onChange }: RecordsDialogProps) {
  const { t } = useLingui();
  const mayChange = useMayChange();
  const queryClient = useQueryClient();
  const setup = useQuery(setupQuery(shieldId, domainId));
  const look = useQuery(dnsStatusQuery(shieldId, domainId));
  const [chosen, setChosen] = useState<RecordType | null>(null);
  const types = setup.data?.setup_info.srv_record === null ? wildcardTypes : domainTypes;
  const current = chosen ?? types[0];

  const check = useMutation({
    mutationFn: () =>
      call(shieldDomainRoutes.checkShieldDomain, { params: { id: shieldId, domainId } }),
    onSuccess: ({ data }) => {
      queryClient.setQueryData(dnsStatusQuery(shieldId, domainId).queryKey, data.dns);
      if (data.dns.verified && setup.data?.domain.status !== "setup_finished") {
        onChange({ label: t`Setup finished`, revision: data.revision });
      }
      return queryClient.invalidateQueries({ queryKey: domainsQuery(shieldId).queryKey });
    },
    onError: (error) => toast("error", errorText(error, t`Error checking CNAME`)),
  });

  return (
    <Dialog
      opened
      wide
      title={t`DNS records`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
          {mayChange ? (
            <ActionButton loading={check.isPending} onClick={() => check.mutate()}>
              <Trans>Check now</Trans>
            </ActionButton>
          ) : null}
        </>
      }
    >
      {setup.data ? (
        <Records setup={setup.data} types={types} current={current} onChoose={setChosen} />
      ) : setup.isPending ? (
        <LoadingRegion>
          <Skeleton height={190} radius={8} />
        </LoadingRegion>
      ) : (
        <ErrorState
          compact
          error={setup.error}
          title={t`Failed to fetch domains`}
          onRetry={() => void setup.refetch()}
        />
      )}
      <div className={classes["now"]} aria-busy={look.isFetching || check.isPending}>
        {look.data ? <Seen dns={look.data} type={current} /> : null}
        {look.isPending ? <Skeleton height={44} radius={8} /> : null}
      </div>
    </Dialog>
  );
}

interface RecordsProps {
  readonly setup: DomainSetup;
  readonly types: readonly RecordType[];
  readonly current: RecordType;
  readonly onChoose: (type: RecordType) => void;
}

function Records({ setup, types, current, onChoose }: RecordsProps) {
  const { t } = useLingui();
  const { setup_info: info } = setup;
  const labels = { CNAME: t`CNAME Record`, SRV: t`SRV Record`, TXT: t`TXT Record` };
  return (
    <>
      <p className={classes["for"]}>
        <Trans>
          For <span className="mono">{setup.domain.domain}</span>, at the provider where the domain
          is registered.
        </Trans>
      </p>
      <TabList
        label={t`DNS records`}
        current={current}
        tabs={types.map((name) => ({ name, label: labels[name] }))}
        onChoose={onChoose}
      >
        <RecordFields type={current} info={info} />
      </TabList>
      <p className={classes["hint"]}>
        <strong>
          <Trans>DNS propagation</Trans>
        </strong>
        {": "}
        <Trans>it can take 24-48 hours until a new record is seen everywhere.</Trans>
      </p>
    </>
  );
}

interface SeenProps {
  readonly dns: NonNullable<DomainSetup["dns"]>;
  readonly type: RecordType;
}

function Seen({ dns, type }: SeenProps) {
  if (!dns.verified) return <DnsDiagnosis check={dns} type={type} />;
  return (
    <Banner
      tone="protected"
      live="polite"
      icon={<IconCircleCheck size={17} stroke={1.6} aria-hidden="true" />}
    >
      {dns.diagnosis.message}
    </Banner>
  );
}
