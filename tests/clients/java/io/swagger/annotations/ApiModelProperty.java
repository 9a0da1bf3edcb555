package io.swagger.annotations;

/** What generated classes say of their fields; this stands in for a library that Debian lacks. */
public @interface ApiModelProperty {
  String value() default "";

  String example() default "";

  boolean required() default false;
}
