import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import { normalizeDomain } from "@palisade/contract/http/servers";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { IconCircleCheck, IconWorld } from "@tabler/icons-react";
import { useState } from "react";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { changeDraft } from "./draft.ts";
import { FieldError } from "./field-error.tsx";
import classes from "./setup.module.css";
import { domainQuery } from "./setup.queries.ts";
import { StepFrame } from "./step-frame.tsx";
import { useStep } from "./use-step.ts";

/** Section 9: availability is asked 800 ms after the last key, from 3 characters on. */
const debounceMs = 800;
const charactersMin = 3;

export function DomainStep() {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const step = useStep("domain");
  const [advancing, setAdvancing] = useState(false);
  const { error: fieldError, ...field } = step.field("domain");
  const typed = step.draft.domain.trim();
  const name = typed.length < charactersMin ? null : normalizeDomain(typed);
  const [settled] = useDebouncedValue(name, debounceMs);
  const check = useQuery({
    ...domainQuery(name ?? ""),
    enabled: name !== null && settled === name,
  });
  const free = check.data;
  const isChecking = name !== null && (settled !== name || check.isFetching);

  // Only about what stands there now: a new value clears the error.
  const checkError =
    name !== null && check.isError && !check.isFetching
      ? (fieldIssues(check.error)["domain"] ??
        errorText(check.error, t`Error checking domain availability`))
      : undefined;
  const error = fieldError ?? checkError;

  async function next() {
    if (advancing || !step.isValid() || name === null) return;
    setAdvancing(true);
    try {
      changeDraft({ free_domain: await queryClient.fetchQuery(domainQuery(name)) });
      step.goTo(step.step, { part: "records" });
    } catch {
      // Told beside the field.
      document.querySelector<HTMLElement>('[name="domain"]')?.focus();
    } finally {
      setAdvancing(false);
    }
  }

  return (
    <StepFrame
      title={<Trans>Domain settings</Trans>}
      note={<Trans>The address players type to join. A subdomain of your own is best.</Trans>}
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
        <p
          className={classes["availability"]}
          role="status"
          data-refused={error ? true : undefined}
          data-free={(!isChecking && free !== undefined) || undefined}
        >
          {name === null || error ? null : isChecking ? (
            <>
              <IconWorld size={16} stroke={1.6} aria-hidden="true" />
              <Trans>Checking whether the domain is free…</Trans>
            </>
          ) : free === undefined ? null : (
            <>
              <IconCircleCheck size={16} stroke={1.6} aria-hidden="true" />
              <span>
                <Trans>
                  <span className="mono">{free}</span> can be used
                </Trans>
              </span>
            </>
          )}
        </p>
      </div>
    </StepFrame>
  );
}
