package com.fasterxml.jackson.datatype.jsr310;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.time.OffsetDateTime;

/** Reads and writes times; this stands in for a library that Debian lacks. */
public class JavaTimeModule extends SimpleModule {
  public JavaTimeModule() {
    addDeserializer(
        OffsetDateTime.class,
        new JsonDeserializer<OffsetDateTime>() {
          @Override
          public OffsetDateTime deserialize(JsonParser parser, DeserializationContext context)
              throws IOException {
            return OffsetDateTime.parse(parser.getText());
          }
        });
    addSerializer(
        OffsetDateTime.class,
        new JsonSerializer<OffsetDateTime>() {
          @Override
          public void serialize(OffsetDateTime time, JsonGenerator out, SerializerProvider provider)
              throws IOException {
            out.writeString(time.toString());
          }
        });
  }
}
