"""Functions that are only declared, and definitions that share a line or are values."""

import pytest

import readwell

pytest.importorskip("ast_grep_py", reason="the extra `code` is not installed")

HEADER = """#pragma once
int h_open(const char *p);
extern int x;
const char *name_of(int id);
struct item **all_of(
    struct item *first,
    int count);
int (*callback)(int);
typedef int (*handler)(int);
static inline int two(void) { return 2; }
"""
SOURCE = """static int a(int x, int y);
int b(void);
int elsewhere(int);
static const int K = 1;

static int a(int p, int q)
{
    return p + q;
}
int b() { return 1; }
"""
CPP = """class A {
  A();
  explicit A(int);
  ~A();
  char *name() const;
  A &operator=(const A &);
  int x;
  void (*hook)(int);
};
void freefn(int);
template <class T> T of(T);
bool operator==(A, A);
bool operator!=(A, A);
bool operator==(A a, A b) { return true; }
void A::f() { Foo local(x); }
"""
SCRIPT = """class X { static s() { function inner() {} } #p() {} }
export const obj = { m() { return 1; } };
var Y = class {}
let Z = class Q { z() {} };
exports.W = class { w() {} };
var methods = { n() {} };
const a = () => {
}, b = () => 2;
"""
OF_SCRIPT = [
    "class X",
    "  static s()",
    "  #p()",
    "export const obj = { m() { return 1; } }",
    "  m()",
    "var Y = class",
    "let Z = class Q",
    "  z()",
    "exports.W = class",
    "  w()",
    "var methods = { n() {} }",
    "  n()",
    "const a = ()",
    "b = ()",
]


def rows(folder, name, content):
    (folder / name).write_text(content)
    with readwell.Reader(folder, cache_dir=None) as reader:
        reply = reader.reply({"path": name, "view": "outline"})
    assert reply.data["notices"] == []
    return [line.partition("\t")[2] for line in reply.text.split("\n")[1:-1]]


def test_a_header_tells_the_functions_that_it_declares(tmp_path):
    assert rows(tmp_path, "a.h", HEADER) == [
        "int h_open(const char *p)",
        "const char *name_of(int id)",
        "struct item **all_of(struct item *first, int count)",
        "typedef int (*handler)(int)",
        "static inline int two(void)",
    ]


def test_a_function_that_is_declared_and_defined_in_a_file_is_told_once(tmp_path):
    assert rows(tmp_path, "a.c", SOURCE) == [
        "int elsewhere(int)",
        "static const int K = 1",
        "static int a(int p, int q)",
        "int b()",
    ]


def test_classes_tell_the_constructors_and_methods_that_they_declare(tmp_path):
    assert rows(tmp_path, "a.cpp", CPP) == [
        "class A",
        "  A()",
        "  explicit A(int)",
        "  ~A()",
        "  char *name() const",
        "  A &operator=(const A &)",
        "void freefn(int)",
        "template <class T> T of(T)",
        "bool operator!=(A, A)",
        "bool operator==(A a, A b)",
        "void A::f()",
    ]


@pytest.mark.parametrize("name", ["a.js", "a.ts"])
def test_definitions_on_one_line_and_in_values_are_told(tmp_path, name):
    assert rows(tmp_path, name, SCRIPT) == OF_SCRIPT


@pytest.mark.parametrize("name", ["a.js", "a.ts"])
def test_functions_that_are_assigned_in_a_module_of_a_script_are_told(tmp_path, name):
    script = (
        "'use strict';\n{\n    Date.prototype.hours = function() {\n        return 1;\n    };\n}\n"
        "(function($) {\n    $.fn.set = function(options) {\n        const inner = () => 2;\n"
        "        this.done = function() {};\n    };\n    $.Shape = class {\n        area() {}\n    };\n}(jQuery));\n"
    )
    assert rows(tmp_path, name, script) == [
        "Date.prototype.hours = function()",
        "$.fn.set = function(options)",
        "$.Shape = class",
        "  area()",
    ]


@pytest.mark.parametrize("name", ["a.js", "a.ts"])
def test_functions_under_the_keys_of_a_named_object_are_told_like_its_methods(tmp_path, name):
    script = (
        "{\n    const Calendar = {\n        days: 7,\n        draw: function(month) {\n            const inner = () => 1;\n"
        "        },\n        leap: (year) => year % 4,\n        now() {},\n    };\n    Clock.prototype = {\n"
        "        tick: function() {},\n    };\n    start({\n        done: function() {},\n    });\n}\n"
    )
    assert rows(tmp_path, name, script) == [
        "const Calendar",
        "  draw: function(month)",
        "  leap: (year)",
        "  now()",
        "Clock.prototype",
        "  tick: function()",
    ]
