// The test program: doctest's own main, except that a filter which matches no case is a failure
// (a suite that was renamed would otherwise pass for ever), and that --figures prints the errors
// that the cases measured.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <string_view>

#include "support/figures.hpp"

namespace {

unsigned cases_run = 0;

struct Counter : doctest::IReporter {
    explicit Counter(const doctest::ContextOptions&) {}
    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats& stats) override {
        cases_run = stats.numTestCasesPassingFilters;
    }
    void test_case_start(const doctest::TestCaseData&) override {}
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats&) override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}
};

REGISTER_LISTENER("counter", 1, Counter);

}  // namespace

// Read by the address sanitizer where there is one: an allocation that is too large gives null, as
// it does without the sanitizer.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }

int main(int argc, char** argv) {
    doctest::Context context(argc, argv);
    const int status = context.run();
    for (int i = 1; i < argc; ++i)
        if (std::string_view(argv[i]) == "--figures") headlights::test::print_figures();
    if (context.shouldExit() || status != 0 || cases_run > 0) return status;
    std::fputs("no test case matches the filter\n", stderr);
    return 1;
}
