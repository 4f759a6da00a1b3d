import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { DnsCheck } from "@palisade/contract/http/server-setup";
import { useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { dnsQuery } from "#src/api/domain-checks.ts";
import { errorText } from "#src/api/errors.ts";
import { DnsDiagnosis } from "#src/ui/dns-diagnosis.tsx";
import { DnsRecord } from "#src/ui/dns-record.tsx";
import { useRecordLabels } from "#src/ui/record-labels.ts";
import { toast } from "#src/ui/toasts.tsx";
import { AlternativeRecords } from "./alternative-records.tsx";
import classes from "./setup.module.css";
import { StepFrame } from "./step-frame.tsx";
import { useStep } from "./use-step.ts";

/** The second part of the domain step: the record to create, and its check. */
export function RecordsStep({ cname }: { cname: UseQueryResult<string> }) {
  const { t } = useLingui();
  const labels = useRecordLabels();
  const queryClient = useQueryClient();
  const step = useStep("domain");
  const [checking, setChecking] = useState(false);
  const [dns, setDns] = useState<DnsCheck | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { free_domain: domain, cname_record: target } = step.draft;

  /** Shows why the step cannot be left; true if it can. */
  function isReady(): boolean {
    const waiting = target === null ? t`CNAME is not generated yet. Please wait.` : null;
    setProblem(step.isValid() ? waiting : t`Please fix validation errors first`);
    return step.isValid() && waiting === null;
  }

  async function check() {
    if (checking || !isReady() || domain === null || target === null) return;
    setChecking(true);
    setDns(null);
    try {
      const answer = await queryClient.fetchQuery(dnsQuery(domain, target));
      if (answer.verified) {
        toast("success", t`CNAME record is correctly set up!`);
        step.goTo(step.step + 1);
      } else {
        setDns(answer);
      }
    } catch (error) {
      setProblem(errorText(error, t`Error checking CNAME`));
    } finally {
      setChecking(false);
    }
  }

  return (
    <StepFrame
      title={<Trans>Create the DNS record</Trans>}
      description={
        <Trans>
          At your DNS provider, point the domain at your shield. You can also do this later: the
          target stays reserved for you.
        </Trans>
      }
      onNext={() => void check()}
      onBack={() => step.goTo(step.step)}
      busy={checking}
      nextLabel={<Trans>Check</Trans>}
      secondaryAction={
        <Button
          variant="default"
          disabled={checking}
          onClick={() => {
            if (isReady()) step.goTo(step.step + 1);
          }}
        >
          <Trans>Skip check</Trans>
        </Button>
      }
      problem={problem}
    >
      <div className={classes["fields"]}>
        <DnsRecord
          type="CNAME"
          parts={[
            { label: labels.name, value: domain ?? "", copy: t`Copy the record name` },
            { label: labels.target, value: target, copy: t`Copy the CNAME target` },
          ]}
        />
        {target === null && cname.isError ? (
          <Button variant="default" size="xs" onClick={() => void cname.refetch()}>
            <Trans>Generate again</Trans>
          </Button>
        ) : null}
        {dns ? <DnsDiagnosis check={dns} /> : null}
        {domain === null || target === null ? null : (
          <AlternativeRecords domain={domain} target={target} />
        )}
      </div>
    </StepFrame>
  );
}
