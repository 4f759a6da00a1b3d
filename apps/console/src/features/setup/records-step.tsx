import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { DnsCheck } from "@palisade/contract/http/server-setup";
import { useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { dnsQuery } from "#src/api/domain-checks.ts";
import { errorText } from "#src/api/errors.ts";
import { DnsDiagnosis } from "#src/ui/dns-diagnosis.tsx";
import { DnsRecord } from "#src/ui/dns-record.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { AlternativeRecords } from "./alternative-records.tsx";
import classes from "./setup.module.css";
import { StepFrame } from "./step-frame.tsx";
import { useStep } from "./use-step.ts";

/** The second part of the domain step: the record to create, and whether it is there. */
export function RecordsStep({ cname }: { cname: UseQueryResult<string> }) {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const step = useStep("domain");
  const [checking, setChecking] = useState(false);
  const [check, setCheck] = useState<DnsCheck | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { free_domain: domain, cname_record: target } = step.draft;

  /** Says what keeps the step from being left; true where nothing does. */
  function isReady(): boolean {
    const waiting = target === null ? t`CNAME is not generated yet. Please wait.` : null;
    setProblem(step.isValid() ? waiting : t`Please fix validation errors first`);
    return step.isValid() && waiting === null;
  }

  async function look() {
    if (checking || !isReady() || domain === null || target === null) return;
    setChecking(true);
    setCheck(null);
    try {
      const answer = await queryClient.fetchQuery(dnsQuery(domain, target));
      if (answer.verified) {
        toast("success", t`CNAME record is correctly set up!`);
        step.goTo(step.step + 1);
      } else {
        setCheck(answer);
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
          Point the domain at your shield, at the provider where it is registered. You can also do
          this later: the target stays yours.
        </Trans>
      }
      onNext={() => void look()}
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
            { label: t`Name`, value: domain ?? "", copy: t`Copy the record name` },
            { label: t`Target`, value: target, copy: t`Copy the CNAME target` },
          ]}
        />
        {target === null && cname.isError ? (
          <Button variant="default" size="xs" onClick={() => void cname.refetch()}>
            <Trans>Generate again</Trans>
          </Button>
        ) : null}
        {check ? <DnsDiagnosis check={check} /> : null}
        {domain === null || target === null ? null : (
          <AlternativeRecords domain={domain} target={target} />
        )}
      </div>
    </StepFrame>
  );
}
