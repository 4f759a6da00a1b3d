import { TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { normalizeDomain } from "@palisade/contract/http/servers";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { domainQuery, useAvailability } from "#src/api/domain-checks.ts";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { FieldError } from "#src/ui/field-error.tsx";
import { DomainAvailability } from "#src/ui/domain-availability.tsx";
import { changeDraft } from "./draft.ts";
import classes from "./setup.module.css";
import { StepFrame } from "./step-frame.tsx";
import { useStep } from "./use-step.ts";

export function DomainStep() {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const step = useStep("domain");
  const [advancing, setAdvancing] = useState(false);
  const { error: fieldError, ...field } = step.field("domain");
  const {
    name,
    free,
    isChecking,
    error: refused,
  } = useAvailability(step.draft.domain, normalizeDomain);
  const checkError =
    refused === null
      ? undefined
      : (fieldIssues(refused)["domain"] ??
        errorText(refused, t`Error checking domain availability`));
  const error = fieldError ?? checkError;

  async function next() {
    if (advancing || !step.isValid() || name === null) return;
    setAdvancing(true);
    try {
      changeDraft({ free_domain: await queryClient.fetchQuery(domainQuery(name)) });
      step.goTo(step.step, { part: "records" });
    } catch {
      // The field shows the error.
      document.querySelector<HTMLElement>('[name="domain"]')?.focus();
    } finally {
      setAdvancing(false);
    }
  }

  return (
    <StepFrame
      title={<Trans>Domain settings</Trans>}
      description={
        <Trans>The address players type to join. A subdomain of your own is best.</Trans>
      }
      onNext={() => void next()}
      onBack={step.back}
      busy={advancing}
      problem={step.wrong ? t`Please enter valid data` : null}
    >
      <div className={classes["fields"]}>
        <TextInput
          {...field}
          error={error ? <FieldError text={error} /> : undefined}
          className={classes["narrow"] ?? ""}
          label={t`Domain`}
          placeholder="play.example.com"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          classNames={{ input: "mono" }}
        />
        <DomainAvailability
          name={name}
          free={free}
          isChecking={isChecking}
          isRefused={error !== undefined && error !== ""}
        />
      </div>
    </StepFrame>
  );
}
