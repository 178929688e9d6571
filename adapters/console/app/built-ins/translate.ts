/** The server's own services and trigger types in the language of the page. Those of the host stay as they are. Pure. */
import type { TriggerTypeInfo } from "../../../../src/collections/triggers/trigger-type-info.ts";
import { ownField } from "../../../../src/json.ts";
import type { ActionInfo, ServiceInfo } from "../../../../src/services/service-info.ts";
import type { ActionTexts, BuiltInTexts } from "../texts/built-in-texts.ts";
import { translatedSchema } from "./translate-schema.ts";

/** A host cannot give the name of a built-in service to one of its own. */
export function translatedService(service: ServiceInfo, { services }: BuiltInTexts): ServiceInfo {
  const texts = ownField(services, service.name);
  if (texts === undefined) return service;
  return {
    ...service,
    title: texts.title,
    connection: translatedSchema(service.connection, texts.connection),
    actions: service.actions.map((action) => translatedAction(action, ownField(texts.actions, action.name))),
  };
}

function translatedAction(action: ActionInfo, texts: ActionTexts | undefined): ActionInfo {
  return {
    ...action,
    title: texts?.title ?? action.title,
    description: texts?.description ?? action.description,
    input: translatedSchema(action.input, texts?.input),
  };
}

/** Nor that of a built-in trigger type. The settings of every trigger are the server's, also those of a type of the host. */
export function translatedTriggerType(
  type: TriggerTypeInfo,
  { triggerTypes, triggers }: BuiltInTexts,
): TriggerTypeInfo {
  const texts = ownField(triggerTypes, type.name);
  return {
    ...type,
    title: texts?.title ?? type.title,
    connection: translatedSchema(type.connection, texts?.connection),
    config: translatedSchema(type.config, texts?.config),
    common_config: translatedSchema(type.common_config, triggers),
  };
}
