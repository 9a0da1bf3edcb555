package org.openapitools.jackson.nullable;

import com.fasterxml.jackson.databind.module.SimpleModule;

/** Registered by generated clients; this stands in for a library that Debian lacks. */
public class JsonNullableModule extends SimpleModule {}
