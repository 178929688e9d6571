/** The built-in service `inputs`: steps create links to the forms of input steps of their run. */
import * as v from "valibot";
import { InputLink, InputLinkCreate } from "../../forms/waiting-input.ts";
import { defineService } from "../define-service.ts";

export const inputs = defineService({
  name: "inputs",
  title: "Forms for people",
  actions: {
    create_link: {
      title: "Create a link to a form",
      description:
        "Creates a link to the form of an input step of this run (step_key), for a person without an API key. The run may reach the step later. The form accepts one answer. expires_in is in seconds and defaults to seven days. title, and text or markdown, appear above the form.",
      input: v.strictObject({ step_key: v.string(), ...InputLinkCreate.entries }),
      output: InputLink,
      run: ({ step_key, ...settings }, { stepwell, app_id, run_id }) =>
        stepwell.inputs.createLink(app_id, run_id, step_key, settings),
    },
  },
});
