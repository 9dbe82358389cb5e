"use client";

import { useEffect, useRef, useState } from "react";
import type { FieldErrors } from "@/components/accounts/use-form";
import { Button } from "@/components/ui/button";
import { CodeInput } from "@/components/ui/code-input";
import { Countdown } from "@/components/ui/countdown";
import { Notice } from "@/components/ui/notice";
import { serverNow } from "@/components/ui/server-clock";
import type { SentCode } from "./use-code-form";
import type { CodeLabels } from "./use-code-labels";

type CodeStepProps = {
  sent: SentCode;
  form: { errors: FieldErrors; pending?: string };
  labels: CodeLabels;
  onResend: () => void;
};

/** The field for an emailed code, with the delivery status and a resend control after the countdown. */
export function CodeStep({ sent, form: { errors, pending }, labels, onResend }: CodeStepProps) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field is focused again after each code that is sent
  useEffect(() => box.current?.querySelector("input")?.focus(), [sent.requestedAt]);
  const sentText = sent.refusal === "already" ? labels.already : labels.sent;

  return (
    <div ref={box} className="flex flex-col gap-4">
      {typeof sent.refusal === "object" && (
        <Notice kind="warn" title={sent.refusal.message} live>
          {labels.stillValid}
        </Notice>
      )}
      <CodeInput
        name="verification_code"
        label={labels.label}
        error={errors.verification_code}
        hint={
          typeof sent.refusal === "object" ? undefined : (
            <>
              <span className="wrap-anywhere">{sentText.replace("%s", () => sent.email)}</span> {labels.spam}
            </>
          )
        }
      />
      <Resend key={sent.requestedAt} {...{ sent, labels, onResend }} pending={pending === "send"} />
    </div>
  );
}

type ResendProps = Omit<CodeStepProps, "form"> & { pending: boolean };

function Resend({ sent, pending, labels, onResend }: ResendProps) {
  const [canResend, setCanResend] = useState(false);
  const [now] = useState(() => serverNow());
  return (
    <div className="-my-1 flex min-h-11 items-center text-quiet">
      {canResend ? (
        <Button look="quiet" pending={pending} onClick={onResend} className="-ml-3">
          {labels.resend}
        </Button>
      ) : (
        <p className="text-13">
          <span aria-hidden="true">{labels.resendIn} </span>
          <Countdown
            now={now}
            endsAt={sent.resendAt}
            dayUnit={labels.day}
            spoken={labels.resendSpoken}
            onEnd={() => setCanResend(true)}
          />
        </p>
      )}
    </div>
  );
}
