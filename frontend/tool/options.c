/* options.c: the command line of one command.
 *
 * Comes in: the arguments after the command's name.  Goes out: a Request, or
 * a message and BAD_USAGE.  One table says every option: its spelling, whether
 * it takes a value, and the function that reads it. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

typedef int ReadOption(Request *request, const char *value);

/* -- readers of values ------------------------------------------------- */

bool tool_read_int(const char *text, int64_t *value) {
  char *end;
  if (!*text || strchr(" \t\n\v\f\r", *text)) return false;
  errno = 0;
  long long number = strtoll(text, &end, 10);
  *value = number;
  return errno == 0 && *end == 0;
}

bool tool_read_number(const char *text, double *value) {
  char *end;
  if (!*text || strspn(text, "+-.0123456789eE") != strlen(text)) return false;
  *value = strtod(text, &end);
  return *end == 0 && *value - *value == 0;
}

static int read_count(const char *option, const char *value, int *count) {
  int64_t number;
  if (!tool_read_int(value, &number) || number < 1 || number > INT_MAX)
    return tool_error(BAD_USAGE, "--%s=%s: not a number from 1 on", option,
                      value);
  *count = (int)number;
  return FINE;
}

/* The index of value among the words; -1 after a message. */
static int read_word(const char *option, const char *value,
                     const char *const *words, int n) {
  for (int i = 0; i < n; i++)
    if (strcmp(words[i], value) == 0) return i;
  tool_unknown(BAD_USAGE, option, value, words, n);
  return -1;
}

enum { PASS_LIMIT = 64 };

static int read_pass(const char *option, const char *value, int *index) {
  const char *names[PASS_LIMIT];
  int n = 0;
  for (; n < pass_count && n < PASS_LIMIT; n++) names[n] = pass_table[n].name;
  *index = pass_find(value);
  if (*index >= 0) return FINE;
  char what[48];
  snprintf(what, sizeof what, "pass in --%s:", option);
  return tool_unknown(BAD_USAGE, what, value, names, n);
}

/* -- one function an option -------------------------------------------- */

static int read_after(Request *request, const char *value) {
  return read_pass("after", value, &request->after);
}

static int read_why_not(Request *request, const char *value) {
  return read_pass("why-not", value, &request->why_not);
}

/* These names are a promise to scripts, whether or not the table has the pass
 * already. */
static int read_without(Request *request, const char *value) {
  static const char *const names[] = {"raise", "hoist", "simplify",
                                      "interchange"};
  int pass = pass_find(value);
  if (pass >= 0 && !pass_table[pass].optional)
    return tool_error(BAD_USAGE,
                      "--without=%s: this pass cannot be left out (raise, "
                      "hoist, simplify and interchange can)",
                      value);
  if (pass < 0 && read_word("pass in --without:", value, names, 4) < 0)
    return BAD_USAGE;
  if (pass >= 0) request->options.without |= (uint64_t)1 << pass;
  return FINE;
}

static int read_numerics(Request *request, const char *value) {
  static const char *const words[] = {"fast", "strict"};
  int word = read_word("word in --numerics:", value, words, 2);
  request->options.numerics = word == 1 ? NUMERICS_STRICT : NUMERICS_FAST;
  return word < 0 ? BAD_USAGE : FINE;
}

static int read_gemm(Request *request, const char *value) {
  static const char *const words[] = {"auto", "blas", "packed", "inline"};
  static const Gemm gemms[] = {GEMM_AUTO, GEMM_BLAS, GEMM_PACKED, GEMM_INLINE};
  int word = read_word("word in --gemm:", value, words, 4);
  if (word < 0) return BAD_USAGE;
  request->options.gemm = gemms[word];
  return FINE;
}

static int read_threads(Request *request, const char *value) {
  return read_count("threads", value, &request->options.threads);
}

/* modest: as if nothing were known of the machine, so that any host compiles
 * alike. */
static int read_machine(Request *request, const char *value) {
  static const char *const words[] = {"host", "modest"};
  int word = read_word("word in --machine:", value, words, 2);
  request->options.hardware = word == 0 ? *front_hardware() : (Hardware){0};
  return word < 0 ? BAD_USAGE : FINE;
}

static int read_repeat(Request *request, const char *value) {
  return read_count("repeat", value, &request->repeat);
}

static int read_tolerance(const char *option, const char *value,
                          double *tolerance) {
  if (tool_read_number(value, tolerance) && *tolerance >= 0) return FINE;
  return tool_error(BAD_USAGE, "--%s=%s: not a number from 0 on", option,
                    value);
}

static int read_rtol(Request *request, const char *value) {
  return read_tolerance("rtol", value, &request->rtol);
}

static int read_atol(Request *request, const char *value) {
  return read_tolerance("atol", value, &request->atol);
}

static int read_output(Request *request, const char *value) {
  if (!*value) return tool_error(BAD_USAGE, "-o needs the name of a folder");
  request->directory = value;
  return FINE;
}

static int read_size(Request *request, const char *value) {
  const char *equals = strchr(value, '=');
  int64_t number;
  if (!equals || equals == value)
    return tool_error(BAD_USAGE, "--size %s: NAME=N is wanted", value);
  if (!tool_read_int(equals + 1, &number))
    return tool_error(BAD_USAGE, "--size %s: '%s' is not a whole number", value,
                      equals + 1);
  char *name = strndup(value, (size_t)(equals - value));
  if (!name) return tool_error(FAILED, "no memory");
  for (int i = 0; i < request->n_sizes; i++) {
    if (strcmp(request->sizes[i].name, name) != 0) continue;
    free(name);
    return tool_error(BAD_USAGE, "--size %.*s is given twice",
                      (int)(equals - value), value);
  }
  request->sizes[request->n_sizes++] = (SizeOverride){name, number};
  return FINE;
}

#define FLAG(field)                                              \
  static int read_##field(Request *request, const char *value) { \
    (void)value;                                                 \
    request->field = true;                                       \
    return FINE;                                                 \
  }
FLAG(strip)
FLAG(dot)
FLAG(llvm)
FLAG(assembly)
FLAG(places)
FLAG(passes)
FLAG(json)
FLAG(help)

/* -- the table --------------------------------------------------------- */

typedef struct OptionInfo {
  const char *name;
  char letter; /* 0: none */
  bool value;
  bool everywhere; /* else only where the command names it */
  ReadOption *read;
} OptionInfo;

static const OptionInfo option_table[] = {
    {"size", 0, true, true, read_size},
    {"numerics", 0, true, true, read_numerics},
    {"threads", 0, true, true, read_threads},
    {"without", 0, true, true, read_without},
    {"gemm", 0, true, true, read_gemm},
    {"machine", 0, true, true, read_machine},
    {"help", 'h', false, true, read_help},
    {"after", 0, true, false, read_after},
    {"strip", 0, false, false, read_strip},
    {"dot", 0, false, false, read_dot},
    {"llvm", 0, false, false, read_llvm},
    {"asm", 0, false, false, read_assembly},
    {"places", 0, false, false, read_places},
    {"passes", 0, false, false, read_passes},
    {"output", 'o', true, false, read_output},
    {"rtol", 0, true, false, read_rtol},
    {"atol", 0, true, false, read_atol},
    {"json", 0, false, false, read_json},
    {"repeat", 0, true, false, read_repeat},
    {"why-not", 0, true, false, read_why_not},
};
enum { OPTION_COUNT = sizeof option_table / sizeof *option_table };

enum { LONG_ONLY = 256 }; /* getopt's value of option i: LONG_ONLY + i */

static const OptionInfo *find_option(int letter) {
  if (letter >= LONG_ONLY) return &option_table[letter - LONG_ONLY];
  int i = 0;
  while (option_table[i].letter != letter) i++;
  return &option_table[i];
}

static bool takes(const Command *command, const OptionInfo *option) {
  char word[32];
  snprintf(word, sizeof word, " %s ", option->name);
  return option->everywhere || strstr(command->options, word) != NULL;
}

/* getopt_long says only that something was wrong; argument is the word. */
static int option_error(const Command *command, int kind, const char *argument,
                        int letter) {
  if (kind == ':')
    return tool_error(BAD_USAGE, "option '%s' needs a value", argument);
  if (letter && argument[1] != '-')
    return tool_error(BAD_USAGE,
                      "unknown option '-%c' (lockstep %s --help lists them)",
                      letter, command->name);
  if (letter)
    return tool_error(BAD_USAGE, "option '%.*s' takes no value",
                      (int)strcspn(argument, "="), argument);
  const char *names[OPTION_COUNT];
  int n = 0;
  for (int i = 0; i < OPTION_COUNT; i++)
    if (takes(command, &option_table[i])) names[n++] = option_table[i].name;
  size_t length = strcspn(argument + 2, "=");
  const char *close = ir_closest(argument + 2, length, names, n);
  return tool_error(BAD_USAGE,
                    "unknown or ambiguous option '%.*s'%s%s%s "
                    "(lockstep %s --help lists them)",
                    (int)length + 2, argument,
                    close ? "; did you mean '--" : "", close ? close : "",
                    close ? "'?" : "", command->name);
}

static int read_option(const Command *command, const OptionInfo *option,
                       Request *request, const char *value) {
  if (takes(command, option)) return option->read(request, value);
  fprintf(stderr, "lockstep: %s has no option --%s, only: ", command->name,
          option->name);
  for (int i = 0, n = 0; i < tool_command_count; i++)
    if (takes(&tool_commands[i], option))
      fprintf(stderr, "%s%s", n++ ? ", " : "", tool_commands[i].name);
  fputc('\n', stderr);
  return BAD_USAGE;
}

static int parse_options(const Command *command, int argc, char **argv,
                         Request *request) {
  struct option longs[OPTION_COUNT + 1] = {{0}};
  for (int i = 0; i < OPTION_COUNT; i++)
    longs[i] =
        (struct option){option_table[i].name,
                        option_table[i].value ? required_argument : no_argument,
                        NULL, LONG_ONLY + i};
  int code = FINE, letter;
  opterr = 0;
  while (code == FINE &&
         (letter = getopt_long(argc, argv, ":ho:", longs, NULL)) != -1) {
    if (letter == '?' || letter == ':')
      code = option_error(command, letter, argv[optind - 1],
                          letter == '?' ? optopt : 0);
    else
      code = read_option(command, find_option(letter), request, optarg);
  }
  return code;
}

/* -- the whole --------------------------------------------------------- */

static int parse_words(const Command *command, int argc, char **argv,
                       Request *request) {
  if (request->passes && optind < argc)
    return tool_error(BAD_USAGE, "show --passes takes no file");
  if (request->passes) return FINE;
  if (optind == argc)
    return tool_error(BAD_USAGE,
                      "%s needs a program file (see lockstep %s "
                      "--help)",
                      command->name, command->name);
  request->file = argv[optind++];
  request->bindings = (const char *const *)argv + optind;
  request->n_bindings = argc - optind;
  for (int i = 0; i < request->n_bindings; i++) {
    const char *word = request->bindings[i], *equals = strchr(word, '=');
    if (!command->inputs)
      return tool_error(BAD_USAGE, "%s takes one file; what is '%s'?",
                        command->name, word);
    if (!equals || equals == word)
      return tool_error(BAD_USAGE, "'%s' is not NAME=SOURCE", word);
  }
  return FINE;
}

int tool_options(const Command *command, int argc, char **argv,
                 Request *request) {
  *request = (Request){
      .command = command, .after = -1, .why_not = -1, .rtol = -1, .atol = -1};
  request->options.hardware = *front_hardware();
  request->sizes = calloc((size_t)argc, sizeof *request->sizes);
  if (!request->sizes) return tool_error(FAILED, "no memory");
  int code = parse_options(command, argc, argv, request);
  if (code != FINE || request->help) return code;
  return parse_words(command, argc, argv, request);
}

void tool_request_free(Request *request) {
  for (int i = 0; i < request->n_sizes; i++)
    free((char *)request->sizes[i].name);
  free(request->sizes);
}
