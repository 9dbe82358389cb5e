/** Puts the focus on the first control that is marked invalid; call it after the errors are shown. */
export function focusFirstInvalid(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
}
