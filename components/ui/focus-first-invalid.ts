/** Focuses the first control that is marked invalid. Call it after the errors are rendered. */
export function focusFirstInvalid(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
}
