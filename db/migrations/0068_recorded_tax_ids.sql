-- Tax ids of businesses outside of the EU. The new check allows more than the one before: NOT VALID saves reading the table under its lock.
ALTER TABLE "order_taxes" DROP CONSTRAINT "order_taxes_vat_check";
--> statement-breakpoint
ALTER TABLE "order_taxes" ADD CONSTRAINT "order_taxes_vat_check" CHECK (vat_check in ('valid', 'invalid', 'unchecked', 'recorded')) NOT VALID;