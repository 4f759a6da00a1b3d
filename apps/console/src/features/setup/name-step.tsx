import { TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { FieldError } from "#src/ui/field-error.tsx";
import classes from "./setup.module.css";
import { StepFrame } from "./step-frame.tsx";
import { useStep } from "./use-step.ts";

export function NameStep() {
  const { t } = useLingui();
  const step = useStep("name");
  const { error, ...field } = step.field("server_name");
  return (
    <StepFrame
      title={<Trans>Enter server name</Trans>}
      description={
        <Trans>Only you and your team see this name, on the dashboard and in e-mails.</Trans>
      }
      onNext={step.next}
      onBack={step.back}
      problem={step.wrong ? t`Please enter valid data` : null}
    >
      <div className={classes["narrow"]}>
        <TextInput
          {...field}
          error={error ? <FieldError text={error} /> : undefined}
          label={t`Server name`}
          description={t`Letters, numbers, spaces, hyphens and underscores`}
          placeholder="Skyline Survival"
          autoComplete="off"
        />
      </div>
    </StepFrame>
  );
}
