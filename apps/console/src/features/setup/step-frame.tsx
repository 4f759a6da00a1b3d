import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconArrowLeft, IconArrowRight } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Panel } from "#src/ui/panel.tsx";
import classes from "./step-frame.module.css";

interface StepFrameProps {
  readonly title: ReactNode;
  readonly description: ReactNode;
  /** Next, Enter in a field: what the step's main button does. */
  readonly onNext: () => void;
  readonly onBack?: (() => void) | undefined;
  readonly busy?: boolean;
  readonly blocked?: boolean;
  /** In place of 'Next'. */
  readonly nextLabel?: ReactNode;
  /** A second way on, beside the main one. */
  readonly secondaryAction?: ReactNode;
  /** Why Next did nothing; told at once. */
  readonly problem?: ReactNode;
  readonly children: ReactNode;
}

/** What every step has: a heading that takes the focus, its question, and the ways on and back. */
export function StepFrame(props: StepFrameProps) {
  const { t } = useLingui();
  return (
    <form
      noValidate
      className={classes["frame"]}
      onSubmit={(event) => {
        event.preventDefault();
        if (props.busy !== true && props.blocked !== true) props.onNext();
      }}
    >
      <Panel className={classes["panel"]}>
        <h2 id="step-title" tabIndex={-1} className={classes["title"]}>
          {props.title}
        </h2>
        <p className={classes["note"]}>{props.description}</p>
        {props.children}
      </Panel>
      <p className={classes["problem"]} role="alert">
        {props.problem}
      </p>
      <div
        className={classes["ways"]}
        role="group"
        aria-label={t`Steps back and forth`}
        data-three={props.secondaryAction ? true : undefined}
      >
        {props.onBack ? (
          <Button
            variant="default"
            leftSection={<IconArrowLeft size={16} stroke={1.6} aria-hidden="true" />}
            onClick={props.onBack}
            disabled={props.busy ?? false}
          >
            <Trans>Back</Trans>
          </Button>
        ) : null}
        <span className={classes["gap"]} />
        {props.secondaryAction}
        <Button
          type="submit"
          loading={props.busy ?? false}
          disabled={props.blocked ?? false}
          rightSection={
            props.nextLabel ? null : <IconArrowRight size={16} stroke={1.6} aria-hidden="true" />
          }
        >
          {props.nextLabel ?? <Trans>Next</Trans>}
        </Button>
      </div>
    </form>
  );
}
